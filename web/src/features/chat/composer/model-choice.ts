/** Which models a chat asks, as the address, the chat or the last choice say it. Pure. */
import type { ModelItem } from '@chancery/contract/models.ts'
import type { ChosenModel } from '../history/turns.ts'

/** More columns than these cannot be read beside each other. */
export const mostCompared = 4

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

export function matchModels(models: readonly ModelItem[], text: string): ModelItem[] {
  const typed = wordsOf(text)
  return models.filter(({ id, name, owned_by, tags, capabilities = [] }) => {
    const all = [id, name, owned_by, ...tags.map((tag) => tag.name), ...capabilities].join(' ').toLowerCase()
    return typed.every((word) => all.includes(word))
  })
}

/** One stays chosen at least. */
export function toggled(chosen: readonly string[], id: string): string[] {
  if (!chosen.includes(id)) return [...chosen, id].slice(-mostCompared)
  return chosen.length > 1 ? chosen.filter((other) => other !== id) : [...chosen]
}

/** The first wish that can be met; else whatever answers. Names are those of today. */
export function chooseModels(models: readonly ModelItem[], wishes: readonly (readonly string[])[]): ChosenModel[] {
  const byId = new Map(models.map((model) => [model.id, model]))
  for (const wish of wishes) {
    const found = [...new Set(wish)].flatMap((id) => byId.get(id) ?? []).slice(0, mostCompared)
    if (found.length > 0) return found.map(({ id, name }) => ({ id, name }))
  }
  const first = models.find(({ unavailable }) => !unavailable) ?? models[0]
  return first ? [{ id: first.id, name: first.name }] : []
}
