/** Filters options by what was typed. */
import type { Suggestion } from '#ui/form/suggest.tsx'

/** Options that contain the typed words, limited to a readable number. */
export function matching(suggestions: readonly Suggestion[], text: string, most = 30): Suggestion[] {
  const wanted = text.trim().toLowerCase()
  return suggestions
    .filter(({ label, value, detail = '' }) => `${label} ${value} ${detail}`.toLowerCase().includes(wanted))
    .slice(0, most)
}
