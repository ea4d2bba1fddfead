/** `/api/v1/models/defaults`: the model that new chats start with, and the models on top of the list. */
import { z } from 'zod'

const modelId = z.string().min(1).max(300)

/** Models that a reader may not use, or that are gone, are skipped by clients. */
export const ModelDefaults = z.strictObject({
  default_model: modelId.nullable(),
  pinned: z.array(modelId).max(50),
})
export type ModelDefaults = z.infer<typeof ModelDefaults>

export const DefaultsScope = z.enum(['user', 'organization', 'platform'])
export type DefaultsScope = z.infer<typeof DefaultsScope>

/** The defaults of all three; the person's come first, then the organization's, then everybody's. */
export const ModelDefaultsReply = z.object({
  user: ModelDefaults,
  organization: ModelDefaults,
  platform: ModelDefaults,
})
export type ModelDefaultsReply = z.infer<typeof ModelDefaultsReply>

export const ModelDefaultsBody = ModelDefaults.extend({ scope: DefaultsScope })
