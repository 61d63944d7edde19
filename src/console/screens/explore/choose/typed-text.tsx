// A typed text counts once it is finished: with Enter, by leaving the field, or by choosing a proposal.

import { useEffect, useState } from "react";
import { Autocomplete } from "../../../ui/controls.ts";

type TypedTextProps = {
  label: string;
  placeholder: string;
  value: string;
  proposals?: readonly string[];
  width: number;
  onDone: (text: string) => void;
};

export function TypedText({ label, placeholder, value, proposals = [], width, onDone }: TypedTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const done = (typed: string) => typed.trim() !== value && onDone(typed.trim());
  return (
    <Autocomplete
      size="xs"
      w={width}
      aria-label={label}
      placeholder={placeholder}
      data={[...proposals]}
      value={text}
      onChange={setText}
      onOptionSubmit={done}
      onBlur={() => done(text)}
      onKeyDown={(event) => event.key === "Enter" && done(text)}
    />
  );
}
