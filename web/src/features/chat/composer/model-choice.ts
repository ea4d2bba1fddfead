/** The models that a chat uses, from the URL, the chat or the last choice. Pure. */
import { guideId, type ModelItem } from '@chancery/contract/models/models.ts'
import type { ChosenModel } from '../history/turns.ts'

/** More columns can't be read side by side. */
export const maxCompared = 4

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

export function matchModels(models: readonly ModelItem[], text: string): ModelItem[] {
  const typed = wordsOf(text)
  return models.filter(({ id, name, owned_by, tags, capabilities = [] }) => {
    const all = [id, name, owned_by, ...tags.map((tag) => tag.name), ...capabilities].join(' ').toLowerCase()
    return typed.every((word) => all.includes(word))
  })
}

/** The order of the list: what the person pinned, then their organization, then the platform, then the rest. */
export function pinnedFirst(models: readonly ModelItem[], pins: readonly string[]): ModelItem[] {
  const rank = new Map([...new Set(pins)].map((id, index) => [id, index]))
  return models.toSorted((a, b) => (rank.get(a.id) ?? pins.length) - (rank.get(b.id) ?? pins.length))
}

/** At least one stays selected. */
export function toggled(chosen: readonly string[], id: string): string[] {
  if (!chosen.includes(id)) return [...chosen, id].slice(-maxCompared)
  return chosen.length > 1 ? chosen.filter((other) => other !== id) : [...chosen]
}

/**
 * The first available wish; else any available model. Names are current ones. `asked` is what the URL or the chat says: only
 * there the guide counts while there is another model.
 */
export function chooseModels(
  models: readonly ModelItem[],
  { asked, wishes }: { asked: readonly string[]; wishes: readonly (readonly string[])[] },
): ChosenModel[] {
  const others = models.filter(({ id }) => id !== guideId)
  const fallbacks = others.length > 0 ? others : models
  const found = [wished(models, asked), ...wishes.map((wish) => wished(fallbacks, wish))].find(
    ({ length }) => length > 0,
  )
  if (found) return found.map(({ id, name }) => ({ id, name }))
  const first = fallbacks.find(({ unavailable }) => !unavailable) ?? fallbacks[0]
  return first ? [{ id: first.id, name: first.name }] : []
}

const wished = (models: readonly ModelItem[], ids: readonly string[]): ModelItem[] =>
  [...new Set(ids)].flatMap((id) => models.find((model) => model.id === id) ?? []).slice(0, maxCompared)
