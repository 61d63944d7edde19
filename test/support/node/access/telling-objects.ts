// Objects that the owner of a test's database wrote, and that tell what is hidden by the error they end with: a
// statement that runs one can't hide it.

const SECRET = "(SELECT secret FROM canary_hidden.vault ORDER BY id LIMIT 1)";

/** Makes a function. */
export const tells = (name: string, parameters: string, returns: string): string =>
  `CREATE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql SECURITY DEFINER IMMUTABLE AS
    $$ BEGIN RAISE EXCEPTION 'told %', ${SECRET}; END $$;`;

/** Makes a cast, and drops it. */
export const tellingCast = (from: string, to: string, context = ""): [create: string, drop: string] => [
  `${tells("shop.own", from, to)} CREATE CAST (${from} AS ${to}) WITH FUNCTION shop.own(${from}) ${context};`,
  `DROP CAST (${from} AS ${to}); DROP FUNCTION shop.own(${from})`,
];
