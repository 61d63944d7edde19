// Lists to choose from, which stay as they were opened. The library points at an option by its number: a list that came
// anew from the platform would put another option under the arrow, and Enter would choose that one, or none. It also
// forgets the number a moment after a list has opened, when an arrow may have been pressed already.

import {
  MultiSelect as MantineMultiSelect,
  Select as MantineSelect,
  type MultiSelectProps,
  type SelectProps,
} from "@mantine/core";
import { useState, type KeyboardEvent } from "react";

export const Select = <Value extends string = string>(props: SelectProps<Value>) => (
  <MantineSelect {...props} {...useHeld(props)} onKeyDownCapture={chooseMarked} />
);
export const MultiSelect = (props: MultiSelectProps) => (
  <MantineMultiSelect {...props} {...useHeld(props)} onKeyDownCapture={chooseMarked} />
);

type Options = NonNullable<SelectProps["data"]>;
type Words = Readonly<Record<string, string>>;
const isWords = (data: Options | Words): data is Words => !Array.isArray(data);

type ChoiceProps<Value extends string> = Omit<SelectProps, "data" | "value" | "onChange"> & {
  /** The options, or their words by their values. */
  data: Options | Words;
  value: Value;
  onChange: (value: Value) => void;
};

/** A list of which one option is always chosen. */
export const Choice = <Value extends string>({ data, onChange, ...props }: ChoiceProps<Value>) => (
  <Select
    {...props}
    allowDeselect={false}
    data={isWords(data) ? Object.entries(data).map(([value, label]) => ({ value, label })) : data}
    onChange={(value) => value !== null && onChange(value as Value)}
  />
);

/** Enter chooses the option that the field says it points at. */
function chooseMarked(event: KeyboardEvent<HTMLElement>): void {
  const { key, nativeEvent, target } = event;
  const id = target instanceof Element ? target.getAttribute("aria-activedescendant") : null;
  const option = id === null ? null : document.getElementById(id);
  if (key !== "Enter" || nativeEvent.isComposing || !option?.hasAttribute("data-combobox-selected")) return;
  event.preventDefault();
  event.stopPropagation();
  option.click();
}

type List<Value extends string> = Pick<SelectProps<Value>, "onSearchChange" | "onDropdownOpen" | "onDropdownClose"> & {
  data?: SelectProps<Value>["data"];
};

/** A list that opens empty is filled once, and one whose options follow what is typed goes with that. */
function useHeld<Value extends string>({ data = [], onSearchChange, onDropdownOpen, onDropdownClose }: List<Value>) {
  const [held, setHeld] = useState<typeof data>();
  const isHeld = held !== undefined && held.length > 0 && onSearchChange === undefined;
  if (held?.length === 0 && data.length > 0) setHeld(data);
  return {
    data: isHeld ? held : data,
    onDropdownOpen: () => {
      setHeld(data);
      onDropdownOpen?.();
    },
    onDropdownClose: () => {
      setHeld(undefined);
      onDropdownClose?.();
    },
  };
}
