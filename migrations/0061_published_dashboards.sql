-- Dashboards that are published. NULL in a row of another kind.
-- The origins whose pages may frame it, as a JSON array.
ALTER TABLE endpoints ADD COLUMN frame_ancestors TEXT;
-- The parameters that its readers may send, as a JSON array of names; the others have the doc's values, or a token's.
ALTER TABLE endpoints ADD COLUMN open_parameters TEXT;
