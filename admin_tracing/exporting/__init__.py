"""Turns and labels as files, with the filters of the list; and labels back from such a file."""
