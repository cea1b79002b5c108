"""What a question asks for, as far as code can tell: its intent, its parts, whether it is vague."""
