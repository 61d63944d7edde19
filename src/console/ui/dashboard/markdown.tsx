// A small part of Markdown as elements: headings, lists, quotes, code, bold, italic and links. All else is text, HTML
// too; a link leads to https alone, and no picture is loaded.

import type { ReactNode } from "react";
import styles from "./dashboard.module.css";
import { blocksOf, inlineOf, type Block, type Inline } from "./markdown-blocks.ts";

export const Markdown = ({ text }: { text: string }) => (
  <div className={styles.markdown}>
    {blocksOf(text).map((block, at) => (
      <BlockView key={at} block={block} />
    ))}
  </div>
);

function BlockView({ block }: { block: Block }) {
  const lines = block.lines.map((line, at) => <span key={at}>{inlines(line)} </span>);
  const items = block.lines.map((line, at) => <li key={at}>{inlines(line)}</li>);
  switch (block.kind) {
    case "heading":
      return <h3>{inlines(block.lines[0]!)}</h3>;
    case "list":
      return <ul>{items}</ul>;
    case "numbered":
      return <ol>{items}</ol>;
    case "quote":
      return <blockquote>{lines}</blockquote>;
    case "code":
      return (
        <pre>
          <code>{block.lines.join("\n")}</code>
        </pre>
      );
    case "rule":
      return <hr />;
    case "paragraph":
      return <p>{lines}</p>;
  }
}

const inlines = (text: string): ReactNode[] => inlineOf(text).map((part, at) => <InlineView key={at} part={part} />);

function InlineView({ part: { kind, text, href } }: { part: Inline }) {
  if (kind === "bold") return <strong>{text}</strong>;
  if (kind === "italic") return <em>{text}</em>;
  if (kind === "code") return <code>{text}</code>;
  if (kind === "link")
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  return text;
}
