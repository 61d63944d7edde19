// The form of one kind's credentials.

import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../api/integrations.ts";
import { Checkbox, PasswordInput, Select, SimpleGrid, Textarea, TextInput } from "../../ui/controls.ts";
import { fieldsOf, type Field, type IntegrationKind, type Values } from "./forms.ts";

type CredentialFieldsProps = {
  kind: IntegrationKind;
  values: Values;
  /** Nothing is required where stored credentials are changed. */
  isChange?: boolean;
  onChange: (values: Values) => void;
};

export function CredentialFields({ kind, values, isChange = false, onChange }: CredentialFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {fieldsOf(kind).map(([name, field]) => (
        <CredentialField
          key={name}
          field={isChange ? { ...field, isRequired: false } : field}
          value={values[name] ?? ""}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}

type CredentialFieldProps = { field: Field; value: string; onChange: (value: string) => void };

function CredentialField({ field, value, onChange }: CredentialFieldProps) {
  const { label, input, isRequired, placeholder, hint } = field;
  const common = { label, required: isRequired, placeholder, description: hint, value, inputWrapperOrder: ORDER };
  const onType = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (typeof input !== "string")
    return (
      <Select
        {...common}
        data={[...input]}
        value={value || null}
        clearable
        placeholder="where the server offers it"
        onChange={(choice) => onChange(choice ?? "")}
      />
    );
  switch (input) {
    case "text":
      return <TextInput {...common} autoComplete="off" spellCheck={false} onChange={onType} />;
    case "secret":
      return <PasswordInput {...common} autoComplete="new-password" onChange={onType} />;
    case "area":
      return <Textarea {...common} autosize minRows={2} maxRows={8} spellCheck={false} onChange={onType} />;
    case "flag":
      return (
        <Checkbox
          label={label}
          mt="xl"
          checked={value === "true"}
          onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
        />
      );
    case "integration":
      return <BaseField label={label} value={value} onChange={onChange} />;
  }
}

const ORDER = ["label" as const, "input" as const, "description" as const, "error" as const];

/** A semantic layer lies on the lake or a database. */
function BaseField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const integrations = useQuery(integrationsQuery);
  const bases = (integrations.data ?? []).filter(({ type }) => type !== "cube" && type !== "slack");
  return (
    <Select
      label={label}
      required
      searchable
      data={bases.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={(choice) => onChange(choice ?? "")}
    />
  );
}
