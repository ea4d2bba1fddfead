/** Models that read documents: settings, questions with page citations, summaries. Off unless somebody turns it on. */
import { z } from 'zod'

export const AiSettings = z.object({ enabled: z.boolean(), model: z.string().nullable() })
export type AiSettings = z.infer<typeof AiSettings>
/** `model` is needed to turn it on. */
export const AiSettingsBody = z.strictObject({
  enabled: z.boolean(),
  model: z.string().trim().min(1).max(200).nullable(),
})

export const AskBody = z.strictObject({ question: z.string().trim().min(1).max(2000) })

/** `[1]` in the answer is the first citation. */
export const AskReply = z.object({
  answer: z.string(),
  citations: z.array(z.object({ fileId: z.uuid(), fileName: z.string(), page: z.int() })),
  /** The document was longer than the model was given. */
  isPartial: z.boolean(),
})
export type AskReply = z.infer<typeof AskReply>

/** A proposal: nothing is stored before the owner saves it. */
export const SummaryReply = z.object({ text: z.string(), isPartial: z.boolean() })
