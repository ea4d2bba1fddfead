/** Finds suggestions by what was typed. */
import type { Suggestion } from '#ui/suggest.tsx'

/** Those that hold the typed words, few enough to look through. */
export function matching(suggestions: readonly Suggestion[], text: string, most = 30): Suggestion[] {
  const wanted = text.trim().toLowerCase()
  return suggestions
    .filter(({ label, value, detail = '' }) => `${label} ${value} ${detail}`.toLowerCase().includes(wanted))
    .slice(0, most)
}
