/**
 * Types for plugins. Import them with `import type`: a plugin is one file, and types are gone when it runs.
 *
 *     import type { Helpers } from '@chancery/plugin'
 */

/** The types of the UI channel that a plugin may emit. `message` and `replace` are for actions; see docs/plugins.md. */
export type PluginEvent =
  | { type: 'status'; data: { description?: string; done?: boolean; hidden?: boolean } }
  | { type: 'message' | 'chat:message:delta'; data: { content: string } }
  | { type: 'replace' | 'chat:message'; data: { content: string } }
  | { type: 'files' | 'chat:message:files'; data: { files: unknown[] } }
  | { type: 'embeds' | 'chat:message:embeds'; data: { embeds: string[]; replace?: boolean } }
  | { type: 'source' | 'citation'; data: Source | CodeRun }
  | { type: 'notification'; data: { type: 'info' | 'success' | 'warning' | 'error'; content: string } }
  | { type: 'chat:title'; data: string | { title: string } }
  | { type: 'chat:tags'; data: { tags: string[] } }
  | { type: 'chat:message:favorite'; data: { favorite: boolean } }
  | { type: 'chat:completion'; data: unknown }
  | { type: 'execute'; data: { code: string } }

export interface Source {
  source: { id?: string; name: string; type?: string; url?: string }
  document: string[]
  metadata: Record<string, unknown>[]
  distances?: number[]
}

export interface CodeRun {
  type: 'code_execution'
  id: string
  name: string
  code: string
  language?: string
  result?: { output?: string; error?: string; files?: { name: string; url: string }[] }
}

interface InputQuestion {
  title: string
  message?: string
  placeholder?: string
  value?: string
  /** `password` hides what is typed. */
  type?: string
  /** Asks for one of them. */
  options?: (string | { value: string; label: string })[]
}

/** Asks the browser that made the request. Throws when it is gone and when nobody answers in time. */
export interface EventCall {
  (event: { type: 'confirmation'; data: { title: string; message?: string } }): Promise<boolean>
  /** `value` is null when the person cancels. */
  (event: { type: 'input'; data: InputQuestion }): Promise<{ value: string | null }>
  (event: { type: 'execute'; data: { code: string } }): Promise<unknown>
}

export interface User<UserValves = Record<string, unknown>> {
  id: string
  name: string
  email: string
  role: string
  /** The person's own settings of this plugin. */
  valves: UserValves
}

export interface ToolHandle {
  name: string
  description: string
  parameters: Record<string, unknown>
  call(args: Record<string, unknown>): Promise<{ content: string }>
}

/** The last argument of every method. */
export interface Helpers<Valves = Record<string, unknown>, UserValves = Record<string, unknown>> {
  __id__: string
  __user__: User<UserValves>
  __valves__: Valves
  __metadata__: {
    user_id: string
    chat_id: string | null
    message_id: string | null
    session_id: string | null
    model_id: string | null
    task: string | null
  }
  /** The URL of this instance. A plugin never sees the request itself, which carries credentials. */
  __request__: { base_url: string }
  __model__: { id: string } | null
  __messages__: Message[]
  __files__: unknown[]
  __chat_id__: string | null
  __message_id__: string | null
  __session_id__: string | null
  /** The background task that the model is asked for, such as `title_generation`; null for a person's own request. */
  __task__: string | null
  /** The tools of the request, by name; for pipes, and for actions that name them in their first comment. */
  __tools__: Record<string, ToolHandle>
  __event_emitter__(event: PluginEvent): Promise<void>
  __event_call__: EventCall
  /** Aborts when the call ends. */
  signal: AbortSignal
}

export interface Message {
  role: string
  content?: string | { type: string; text?: string }[] | null
  [field: string]: unknown
}

/** The body of a completion, for `inlet` and `pipe`; with the reply among the messages for `outlet` and `action`. */
export interface Body {
  model: string
  messages: Message[]
  stream?: boolean | null
  [field: string]: unknown
}

/** One chunk of a stream, for `stream`. */
export interface Chunk {
  choices?: {
    index?: number
    delta?: { content?: string | null; [field: string]: unknown }
    finish_reason?: string | null
  }[]
  [field: string]: unknown
}
