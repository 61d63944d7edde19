// Lists to choose from, whose options stay in their places while they are open. The library points at an option by its
// number: a list that came anew from the platform would put another option under the arrow, and Enter would choose that
// one, or none. It also forgets the number a moment after a list has opened, when an arrow may have been pressed
// already.

import {
  getOptionsLockup,
  getParsedComboboxData,
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

type Options<Value extends string> = NonNullable<SelectProps<Value>["data"]>;
type List<Value extends string> = Pick<SelectProps<Value>, "onSearchChange" | "onDropdownOpen" | "onDropdownClose"> & {
  data?: Options<Value>;
};

/**
 * Options that come while a list is open stand behind the others, and what goes stays until it closes. A list whose
 * options follow what is typed goes with that.
 */
function useHeld<Value extends string>({ data = [], onSearchChange, onDropdownOpen, onDropdownClose }: List<Value>) {
  const [held, setHeld] = useState<Options<Value>>();
  const shown = held === undefined || onSearchChange !== undefined ? data : withNew(held, data);
  if (held !== undefined && held.length !== shown.length) setHeld(shown);
  return {
    data: shown,
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

/** A group that grows would move the groups behind it, so that its new options stand outside it. */
function withNew<Value extends string>(held: Options<Value>, data: Options<Value>): Options<Value> {
  if (held.length === 0) return data;
  const known = optionsIn(held);
  return [...held, ...Object.values(optionsIn(data)).filter(({ value }) => !Object.hasOwn(known, value))];
}

const optionsIn = <Value extends string>(data: Options<Value>) =>
  getOptionsLockup<Value>(getParsedComboboxData<Value>(data));
