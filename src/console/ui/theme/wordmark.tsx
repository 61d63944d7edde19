// The product's sign and name.

import mark from "./mark.svg";
import styles from "./wordmark.module.css";

export function Wordmark() {
  return (
    <span className={styles.wordmark}>
      <img src={mark} alt="" width={26} height={26} />
      Fjord
    </span>
  );
}
