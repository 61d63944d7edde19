// The field above a long list, by which something in it is found.

import type { InputHTMLAttributes } from "react";
import { Icon } from "../icons.tsx";
import styles from "./search-field.module.css";

export const SearchField = (input: InputHTMLAttributes<HTMLInputElement> & { "aria-label": string }) => (
  <label className={styles.field}>
    <Icon name="search" size={15} />
    <input type="search" {...input} />
  </label>
);
