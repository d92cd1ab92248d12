"""TimeChara: does a character at a moment of its story know what lies behind it, and nothing of what lies ahead?"""
