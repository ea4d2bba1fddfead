/**
 * The built-in model: prepared answers about the service itself, so that a fresh start can chat before any model is
 * connected. Nothing leaves the process. Titles of its chats are the first question: see `isGuide`.
 */
import type { ModelSource } from './face.ts'
import { answerTo } from './guide-answer.ts'

export const guideId = 'guide'

/** Whether asking this model for titles, tags or follow-ups is pointless. */
export const isGuide = (modelId: string): boolean => modelId === guideId

export const guide: ModelSource = {
  list: () => [
    {
      id: guideId,
      name: 'Guide',
      ownedBy: 'chancery',
      description: 'Answers questions about this service. It is not a language model.',
    },
  ],
  async *call(_modelId, { body, signal }) {
    for (const piece of answerTo(body.messages).match(/\S+\s*|\s+/gu) ?? []) {
      signal.throwIfAborted()
      yield piece
    }
  },
}
