"""The command line."""


def main() -> None:
    print("x")
