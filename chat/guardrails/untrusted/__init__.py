"""What code can tell of instructions in text that people and documents brought."""
