// Values as Trino's protocol has them become the texts that all clients' values are compared as.

export type TrinoColumn = { name: string; typeSignature: Signature };
type Signature = { rawType: string; arguments: { kind: string; value: unknown }[] };
type NamedType = { fieldName?: { name: string }; typeSignature: Signature };

export const decodeRows = (columns: readonly TrinoColumn[], rows: readonly unknown[][]): unknown[][] =>
  rows.map((row) => row.map((value, index) => decode(value, columns[index]!.typeSignature)));

/** A page of the protocol; whole numbers beyond 2^53 are texts. */
export function parsePage(text: string): unknown {
  const exact = (_: string, value: unknown, context?: { source: string }): unknown =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) ? context!.source : value;
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}

function decode(value: unknown, { rawType, arguments: parts }: Signature): unknown {
  if (value === null) return null;
  const part = (index: number): Signature => parts[index]!.value as Signature;
  switch (rawType) {
    case "array":
      return (value as unknown[]).map((each) => decode(each, part(0)));
    case "map":
      return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, decode(each, part(1))]));
    case "row":
      return Object.fromEntries(
        parts.map(({ value: field }, index) => {
          const { fieldName, typeSignature } = field as NamedType;
          return [fieldName?.name ?? String(index), decode((value as unknown[])[index], typeSignature)];
        }),
      );
    case "timestamp":
      return String(value).replace(" ", "T");
    case "timestamp with time zone":
      return String(value).replace(" ", "T").replace(" UTC", "Z");
    default:
      return String(value);
  }
}
