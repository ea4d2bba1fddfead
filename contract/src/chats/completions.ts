/** `/api/chat/completions` and related routes. Bodies are open: unknown fields go to the model. */
import { z } from 'zod'

/** Unusual roles and parts are left to the provider to check. */
export const ChatMessage = z.looseObject({
  role: z.string().min(1).max(40),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string().max(60) })).max(2000), z.null()]).optional(),
})
export type ChatMessage = z.infer<typeof ChatMessage>

export const FileReference = z.looseObject({
  type: z.enum(['file', 'collection']),
  id: z.string().min(1).max(200),
  status: z.enum(['processed', 'processing', 'error']).optional(),
  /** Belongs to an earlier message: if it's gone, the reply is made without it. Otherwise it's an error. */
  earlier: z.boolean().optional(),
})

const flags = z.record(z.string().max(60), z.unknown())

export const CompletionBody = z.looseObject({
  model: z.string().min(1).max(300),
  messages: z.array(ChatMessage).min(1).max(10_000),
  chat_id: z.string().max(200).nullish(),
  id: z.string().max(200).nullish(),
  session_id: z.string().max(100).nullish(),
  stream: z.boolean().nullish(),
  background_tasks: flags.nullish(),
  features: flags.nullish(),
  variables: z.record(z.string().max(100), z.unknown()).nullish(),
  filter_ids: z.array(z.string().max(200)).max(100).nullish(),
  files: z.array(FileReference).max(200).nullish(),
  tool_ids: z.array(z.string().max(200)).max(100).nullish(),
  tools: z.array(z.looseObject({})).max(500).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
})
export type CompletionBody = z.infer<typeof CompletionBody>

export const CompletedBody = z.looseObject({
  model: z.string().min(1).max(300),
  messages: z.array(ChatMessage).min(1).max(10_000),
  chat_id: z.string().max(200).nullish(),
  session_id: z.string().max(100).nullish(),
})

export const Usage = z.looseObject({
  prompt_tokens: z.int().optional(),
  completion_tokens: z.int().optional(),
  total_tokens: z.int().optional(),
})

/** With `Prefer: respond-async` the reply is only started; follow it by socket or resume stream. */
export const CompletionBegun = z.object({ status: z.literal(true), task_ids: z.array(z.uuid()), chat_id: z.uuid() })

export const TaskIds = z.object({ task_ids: z.array(z.uuid()) })
export const TaskStopped = z.object({ status: z.boolean(), message: z.string() })
/** Read by the SDKs of that API, in addition to our own error body. */
export const CompletionError = z.object({
  message: z.string(),
  type: z.string(),
  code: z.string().nullable(),
  param: z.string().nullable(),
})

/** GET `/api/v1/tools`. */
export const ToolEntry = z.object({ id: z.string(), name: z.string(), description: z.string() })
export type ToolEntry = z.infer<typeof ToolEntry>
export const ToolList = z.object({ items: z.array(ToolEntry), total: z.int() })

/** GET `/api/v1/chats/{id}/messages/{mid}/stream`: `Last-Event-ID` does the same as `after`. */
export const ResumeQuery = z.object({ after: z.coerce.number().int().min(0).max(1_000_000_000).optional() })
