// Something that is costly to show is asked for once it comes into view.

import { useEffect, useRef, useState, type RefObject } from "react";

/** Once something was in view it stays seen. `margin`: how near is near enough. */
export function useSeen<Place extends HTMLElement>(margin = "0px"): [RefObject<Place | null>, boolean] {
  const place = useRef<Place>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: margin },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [margin]);
  return [place, isSeen];
}
