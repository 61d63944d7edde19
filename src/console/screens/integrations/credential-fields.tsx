// The form of one kind's credentials.

import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../api/integrations.ts";
import { Checkbox, PasswordInput, Select, SimpleGrid, Textarea, TextInput } from "../../ui/controls.ts";
import { besideOf, fieldsOf, type Field, type Integration, type IntegrationKind, type Values } from "./forms.ts";

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
      {[...fieldsOf(kind), ...besideOf(kind, isChange)].map(([name, field]) => (
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
      return <IntegrationField label={label} among={isBase} value={value} onChange={onChange} />;
    case "lake":
      return <IntegrationField label={label} among={isLake} value={value} onChange={onChange} />;
  }
}

const ORDER = ["label" as const, "input" as const, "description" as const, "error" as const];

/** A semantic layer lies on the lake or a database. */
const isBase = ({ type }: Integration): boolean => !["cube", "slack", "trino"].includes(type);
const isLake = ({ type }: Integration): boolean => type === "lake";

type IntegrationFieldProps = {
  label: string;
  among: (integration: Integration) => boolean;
  value: string;
  onChange: (value: string) => void;
};

function IntegrationField({ label, among, value, onChange }: IntegrationFieldProps) {
  const integrations = useQuery(integrationsQuery);
  const bases = (integrations.data ?? []).filter(among);
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
