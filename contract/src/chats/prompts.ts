/** `/api/v1/prompts`: texts to insert into a message, one's own and those that colleagues share. Times are Unix seconds. */
import { z } from 'zod'

const Command = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'small letters, digits, - and _, at most 40')

/** `{{name}}` in the content is asked for when the prompt is inserted. */
export const PromptBody = z.strictObject({
  command: Command,
  content: z.string().trim().min(1).max(20_000),
  shared: z.boolean().default(false),
})
export type PromptBody = z.infer<typeof PromptBody>

export const Prompt = z.object({
  id: z.uuid(),
  command: z.string(),
  content: z.string(),
  shared: z.boolean(),
  /** Otherwise a colleague shares it. */
  is_own: z.boolean(),
  created_at: z.int(),
  updated_at: z.int(),
})
export type Prompt = z.infer<typeof Prompt>
export const PromptList = z.object({ items: z.array(Prompt), total: z.int() })
