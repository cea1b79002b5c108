"""What comes in at the door: a crisis, distress, a pasted document, files and pictures."""
