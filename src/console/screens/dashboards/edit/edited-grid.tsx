// The grid while it is edited: a tile is dragged by itself and resized by its corner, or by the arrow keys, with Shift
// to resize. The doc's text follows, and what changes in it is shown before it is saved.

import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import type { Tile } from "../../../../../kernel/docs/dashboard.ts";
import type { GridPlace } from "../../../../../kernel/docs/grid-place.ts";
import { saveDocText, type DocDetail } from "../../../api/docs.ts";
import { Button, Group, Modal, Stack, Text } from "../../../ui/controls.ts";
import { TextChanges } from "../../../ui/editor/text-changes.tsx";
import { ErrorNote } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import styles from "../../../ui/dashboard/dashboard.module.css";
import { Grid, GRID_COLUMNS } from "../../../ui/dashboard/grid.tsx";
import { isFree, placed, textWithPlaces, within } from "./move-tiles.ts";
import { useFormAction } from "../../../ui/feedback/use-action.ts";

type EditedGridProps = { doc: DocDetail; tiles: readonly Tile[]; columns: number | undefined; onDone: () => void };

/** Height of a row with the gap below it. */
const ROW_PX = 32;

export function EditedGrid({ doc, tiles: first, columns = GRID_COLUMNS, onDone }: EditedGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [tiles, setTiles] = useState(first);
  const [clash, setClash] = useState<string>();
  const [text, setText] = useState<string>();
  const save = useFormAction((changed: string) => saveDocText(doc, changed, doc.version), {
    renews: ["docs"],
    onDone: () => showToast("Saved."),
    onRenewed: onDone,
  });
  const place = (tile: Tile, wanted: GridPlace) => {
    const box = within(wanted, columns);
    const isPossible = isFree(tiles, tile.id, box);
    setClash(isPossible ? undefined : tile.id);
    if (isPossible) setTiles(placed(tiles, tile.id, box));
  };
  const clashing = tiles.find(({ id }) => id === clash);
  const cellPx = () => (frame.current?.clientWidth ?? columns) / columns;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Button size="xs" disabled={tiles === first} onClick={() => setText(textWithPlaces(doc.text, tiles))}>
          See what changes, and save
        </Button>
        <Button size="xs" variant="default" disabled={tiles === first} onClick={() => setTiles(first)}>
          Put back
        </Button>
        <Text size="xs" c="dimmed">
          Drag a tile, or its corner. By keyboard: arrows move, Shift and arrows resize. Tiles do not overlap.
        </Text>
        <Text size="xs" c="var(--bad)" role="status">
          {clashing && `There is no room for ${nameOf(clashing)} there.`}
        </Text>
      </Group>
      <div ref={frame}>
        <Grid tiles={tiles} columns={columns}>
          {(tile) => (
            <Movable
              tile={tile}
              isClashing={clash === tile.id}
              cellPx={cellPx}
              onPlace={(box) => place(tile, box)}
              onEnd={() => setClash(undefined)}
            />
          )}
        </Grid>
      </div>
      <Modal opened={text !== undefined} onClose={() => setText(undefined)} title="What changes in the text" size="xl">
        <Stack gap="sm">
          <TextChanges changes={[{ name: "the text", before: doc.text, after: text ?? doc.text }]} />
          {save.error && <ErrorNote error={save.error} />}
          <Group justify="end">
            <Button loading={save.isPending} onClick={() => text !== undefined && save.mutate(text)}>
              Save
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}

type MovableProps = {
  tile: Tile;
  isClashing: boolean;
  cellPx: () => number;
  onPlace: (box: GridPlace) => void;
  onEnd: () => void;
};

type Grip = { px: number; py: number; box: GridPlace; isCorner: boolean };
const STEPS: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function Movable({ tile, isClashing, cellPx, onPlace, onEnd }: MovableProps) {
  const grip = useRef<Grip>(null);
  const { x, y, w, h } = tile;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const isCorner = (event.target as HTMLElement).dataset["corner"] !== undefined;
    grip.current = { px: event.clientX, py: event.clientY, box: { x, y, w, h }, isCorner };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!grip.current) return;
    const { px, py, box, isCorner } = grip.current;
    onPlace(
      shifted(box, Math.round((event.clientX - px) / cellPx()), Math.round((event.clientY - py) / ROW_PX), isCorner),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    onPlace(shifted({ x, y, w, h }, step[0], step[1], event.shiftKey));
  };
  return (
    <div
      className={styles.edited}
      role="button"
      tabIndex={0}
      aria-label={`${nameOf(tile)}: column ${x}, row ${y}, ${w} by ${h}`}
      data-clash={isClashing || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        grip.current = null;
        onEnd();
      }}
      onKeyDown={onKeyDown}
      onBlur={onEnd}
    >
      <strong>{nameOf(tile)}</strong>{" "}
      <small>
        {tile.type} · {w} × {h}
      </small>
      <span className={styles.corner} data-corner="" />
    </div>
  );
}

const nameOf = ({ title, id }: Tile): string => title ?? id;

const shifted = ({ x, y, w, h }: GridPlace, across: number, down: number, isSize: boolean): GridPlace =>
  isSize ? { x, y, w: w + across, h: h + down } : { x: x + across, y: y + down, w, h };
