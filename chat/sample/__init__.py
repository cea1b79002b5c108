"""The sample: Larkspur's handbook, examples of what is on and off topic, the golden five."""
