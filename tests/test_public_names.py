"""The names that each room gives to the others, and to whoever imports it."""

import whoknew.eventlog


def test_the_names_of_the_event_log() -> None:
    assert whoknew.eventlog.__all__ == [
        "ABSENT",
        "ANY",
        "Appended",
        "Cursor",
        "Director",
        "Draft",
        "Event",
        "Fault",
        "Head",
        "Kind",
        "Knowledge",
        "Known",
        "Log",
        "Placed",
        "Recalled",
        "View",
        "backup",
        "exactly",
        "export_log",
        "import_log",
        "open_log",
        "parse",
        "verify",
    ]


def test_every_public_name_is_there() -> None:
    for name in whoknew.eventlog.__all__:
        assert hasattr(whoknew.eventlog, name)
