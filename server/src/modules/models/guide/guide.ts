/**
 * The built-in model: it answers questions about the service from the documentation, so that a fresh start can chat before
 * any model is connected. Nothing leaves the process. Titles of its chats are the first question: see `isGuide`.
 */
import { readFile } from 'node:fs/promises'
import { guideId } from '@chancery/contract/models/models.ts'
import type { ModelSource } from '../interface.ts'
import { answerTo } from './answer.ts'
import { createSearch, type FindSection } from './search-sections.ts'
import { type Section, sectionsOf } from './sections.ts'

/** True for the guide: asking it for titles, tags or follow-ups is pointless. */
export const isGuide = (modelId: string): boolean => modelId === guideId

const folder = new URL('../../../../../docs/', import.meta.url)
/** The pages for people who use Chancery; the others are for those who change the code. */
const pages = ['guide', 'signing', 'workflows', 'knowledge', 'plugins', 'speech', 'OPERATIONS'].map(
  (name) => `${name}.md`,
)

/** A page that is missing on this server has no answers. */
export const readSections = async (): Promise<Section[]> => {
  const read = async (page: string) => sectionsOf(page, await readFile(new URL(page, folder), 'utf8').catch(() => ''))
  return (await Promise.all(pages.map(read))).flat()
}

let search: Promise<FindSection> | undefined

export const guide: ModelSource = {
  list: () => [
    {
      id: guideId,
      name: 'Guide',
      ownedBy: 'chancery',
      description: 'Answers questions about this service from its documentation. It is not a language model.',
    },
  ],
  async *call(_modelId, { body, signal }) {
    search ??= readSections().then(createSearch)
    for (const piece of answerTo(body.messages, await search).match(/\S+\s*|\s+/gu) ?? []) {
      signal.throwIfAborted()
      yield piece
    }
  },
}
