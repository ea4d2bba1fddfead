/** `/api/v1/memories`: facts about a person that models may use in that person's own chats. */
import { z } from 'zod'
import { IsoTime } from '../text.ts'

const Fact = z.string().trim().min(1).max(1000)

export const Memory = z.object({
  id: z.uuid(),
  content: z.string(),
  source: z.enum(['person', 'model']),
  createdAt: IsoTime,
  updatedAt: IsoTime,
})
export const MemoryList = z.object({
  items: z.array(Memory),
  total: z.int(),
  /** False: nothing is used or remembered, and what is there is kept. */
  enabled: z.boolean(),
})
export const MemoryBody = z.strictObject({ content: Fact })
export const MemorySettingsBody = z.strictObject({ enabled: z.boolean() })
