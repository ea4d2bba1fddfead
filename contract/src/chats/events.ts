/**
 * Messages of the socket event `events`, sent to every tab of the chat's owner.
 *
 * `chat:completion` carries a running reply, only what is new, with a rising `seq` per message:
 * `{seq, choices:[{index, delta}]}`, `{seq, sources}`, `{seq, error}`, and last `{seq, done:true, usage?}`.
 * Over the socket each `seq` is one more than the last. A gap is closed with
 * GET `/api/v1/chats/{id}/messages/{mid}/stream?after=<last seq>`, whose frames may each combine several: their `seq`
 * is that of the last one they hold. A frame with `content` at its top carries the whole text and replaces what there
 * is; that is how a reply that has ended already, or that another node writes, answers.
 *
 * A question to one tab has a `question_id` and is answered by its acknowledgement. `question:closed` with that `id`
 * follows when nobody waits for the answer any more.
 *
 * A socket that sent `watch` with `{topic, id}`, and got `{watching: true}` in its acknowledgement, is sent
 * `topic:changed` with the same two whenever something changed there, until `unwatch`. Topics: `runs`, with the id of a
 * workflow: a run of it was created or changed; `models`, with the caller's own id: a model
 * that they may use was made, changed or taken away. Several changes may be announced once.
 */
import { z } from 'zod'

export const socketPath = '/ws/socket.io'
export const socketEvent = 'events'
export const questionClosed = 'question:closed'
export const watchMessage = 'watch'
export const unwatchMessage = 'unwatch'
export const topicChanged = 'topic:changed'
export const runsTopic = 'runs'
export const modelsTopic = 'models'

/** Tells the chat's owner something about a message, such as a status. Plugins and tools send them. */
export const UiEvent = z.object({ type: z.string(), data: z.unknown() })
export type UiEvent = z.infer<typeof UiEvent>

export const ChatEvent = z.object({
  chat_id: z.string().nullable(),
  message_id: z.string().nullable(),
  data: UiEvent,
  question_id: z.string().optional(),
})
export type ChatEvent = z.infer<typeof ChatEvent>

/** One piece of a running reply. Also the `data:` of each frame of the resume stream. */
export const ReplyFrame = z.looseObject({
  seq: z.int(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().optional(),
        delta: z.looseObject({ content: z.string().nullish(), reasoning_content: z.string().nullish() }).optional(),
      }),
    )
    .optional(),
  /** All of it: replaces what there is. */
  content: z.string().optional(),
  reasoning_content: z.string().optional(),
  sources: z.array(z.unknown()).optional(),
  error: z.object({ content: z.string(), code: z.string().optional() }).optional(),
  usage: z.record(z.string(), z.unknown()).optional(),
  done: z.boolean().optional(),
})
export type ReplyFrame = z.infer<typeof ReplyFrame>

/** `chat:changed`: what another tab wrote. Large changes name the messages only. */
export const ChatChanged = z.object({
  current_id: z.string().nullable(),
  updated_at: z.int(),
  title: z.string().optional(),
  messages: z.record(z.string(), z.unknown()).optional(),
  message_ids: z.array(z.string()),
  deleted: z.boolean().optional(),
})
