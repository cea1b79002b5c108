"""The rules of the offline model, a module a task; `chat.adapters.llm_offline` joins them."""
