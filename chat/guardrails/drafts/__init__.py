"""What a draft is made of: markers, quotations, courtesies."""
