// The bar above every screen of a phone, where the rail is a sheet.

import { Icon } from "../ui/icons.tsx";
import { Wordmark } from "../ui/theme/wordmark.tsx";
import styles from "./shell.module.css";

type TopBarProps = { isMenuOpen: boolean; onMenu: () => void; onPalette: () => void };

export function TopBar({ isMenuOpen, onMenu, onPalette }: TopBarProps) {
  return (
    <div className={styles.top}>
      <button
        type="button"
        aria-label={isMenuOpen ? "Close the menu" : "Open the menu"}
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        <Icon name={isMenuOpen ? "close" : "menu"} />
      </button>
      <Wordmark />
      <button type="button" aria-label="Go to …" onClick={onPalette}>
        <Icon name="search" />
      </button>
    </div>
  );
}
