-- Whether the delivery of an entry was changed by itself since the entry was applied: changed, which stays until the entry
-- is another. NULL: it is as the entry says, or there is none.
ALTER TABLE doc_automations ADD COLUMN delivery_state TEXT;
