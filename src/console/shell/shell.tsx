// The shell stands around every screen: the navigation, the palette, and the place where the screen of the address is
// drawn.

import { Suspense, useEffect, useRef } from "react";
import { Route, Switch, useLocation } from "wouter";
import { useMe } from "../api/me.ts";
import { SCREEN_LIST } from "../screens/screens.ts";
import { useDisclosure } from "../ui/controls.ts";
import { EmptyState, LoadingLines } from "../ui/feedback/states.tsx";
import { Page } from "../ui/layout/page.tsx";
import { TopBar } from "./top-bar.tsx";
import { Navigation } from "./navigation.tsx";
import { Palette } from "./palette/palette.tsx";
import { ScreenBoundary } from "./screen-boundary.tsx";
import { componentOf, mayOpen } from "./open-screen.ts";
import styles from "./shell.module.css";

export function Shell() {
  return (
    <Suspense fallback={<LoadingLines />}>
      <Frame />
    </Suspense>
  );
}

function Frame() {
  const me = useMe();
  const [location] = useLocation();
  const [isMenuOpen, menu] = useDisclosure(false);
  const [isPaletteOpen, palette] = useDisclosure(false);
  const content = useRef<HTMLDivElement>(null);
  // A new screen begins at its top; the menu of a phone has done its work.
  useEffect(() => {
    content.current?.scrollTo(0, 0);
    menu.close();
  }, [location, menu.close]);
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <TopBar onMenu={menu.toggle} isMenuOpen={isMenuOpen} onPalette={palette.open} />
      <Navigation isOpen={isMenuOpen} onPalette={palette.open} />
      <div ref={content} className={styles.content}>
        <ScreenBoundary key={location.split("/")[1]}>
          <Suspense fallback={<Waiting />}>
            <Switch>
              {SCREEN_LIST.filter((screen) => mayOpen(screen, me)).map((screen) => (
                <Route
                  key={screen.name}
                  path={screen.path === "/" ? "/" : `${screen.path}/*?`}
                  component={componentOf(screen)}
                />
              ))}
              <Route component={NoScreen} />
            </Switch>
          </Suspense>
        </ScreenBoundary>
      </div>
      <Palette isOpen={isPaletteOpen} onOpen={palette.open} onClose={palette.close} />
    </div>
  );
}

const Waiting = () => (
  <div className={styles.waiting}>
    <LoadingLines />
  </div>
);

const NoScreen = () => (
  <Page title="Nothing here">
    <EmptyState title="There is no such screen, or not for you">
      The address may be mistyped, or lead to something that your role does not open. Press Ctrl K to look for it.
    </EmptyState>
  </Page>
);
