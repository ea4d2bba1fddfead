/** `/api/v1/chats`: conversations as trees of messages. Times in seconds, but the chat's own `timestamp` in milliseconds. */
import { z } from 'zod'
import { paging } from '../lists.ts'
import { line } from '../text.ts'

const Id = z.uuid().toLowerCase()
/**
 * The caller's own, a UUID. It is answered as it was first sent; in capitals or not, it names the same message, so two
 * messages of one request must not differ by that alone.
 */
const MessageId = z.uuid()
const second = z.int().min(0).max(99_999_999_999)
const Title = z.string().max(500)

/**
 * One message, whole or in part: a merge sends only what changes. Fields that are not named here (sources, files,
 * embeds, usage, …) are kept as they come. Only an image in `files` whose `url` is a data URL becomes a file of the
 * caller's: it is answered as `{type: "image", id, name, url}` with the address of that file.
 */
export const MessagePatch = z.looseObject({
  id: MessageId.optional(),
  role: z.enum(['user', 'assistant', 'system']).optional(),
  content: z.string().optional(),
  /**
   * SHA-256 (hex) of the content that the change is based on. Needed to change a finished reply; where it is sent and the
   * stored content is another, the merge is refused with 409.
   */
  if_content_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash in lower-case hex')
    .optional(),
  parentId: MessageId.nullish(),
  childrenIds: z.array(MessageId).max(10_000).optional(),
  timestamp: second.optional(),
  models: z.array(z.string().max(300)).max(20).optional(),
  model: z.string().max(300).optional(),
  modelName: z.string().max(300).optional(),
  modelIdx: z.int().min(0).max(100).optional(),
  done: z.boolean().optional(),
})
export type MessagePatch = z.infer<typeof MessagePatch>

export const HistoryPatch = z.looseObject({
  currentId: MessageId.nullish(),
  messages: z.record(MessageId, MessagePatch).optional(),
})

/** The same object creates and merges; creating asks for more (see ChatBody). */
export const ChatPatch = z.looseObject({
  title: Title.optional(),
  models: z.array(z.string().max(300)).max(20).optional(),
  messages: z.array(MessagePatch).max(10_000).optional(),
  history: HistoryPatch.optional(),
  files: z.array(z.unknown()).max(1000).optional(),
  tags: z.array(z.unknown()).max(100).optional(),
  params: z.record(z.string().max(100), z.unknown()).optional(),
  timestamp: z.int().optional(),
  currentId: MessageId.nullish(),
})
export type ChatPatch = z.infer<typeof ChatPatch>

export const NewChat = ChatPatch.required({ title: true, models: true, messages: true, history: true })
export const NewChatBody = z.strictObject({ chat: NewChat, folder_id: Id.nullish() })
export const ChatMergeBody = z.strictObject({ chat: ChatPatch })

export const Message = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.string(),
  parentId: z.string().nullable(),
  childrenIds: z.array(z.string()),
  timestamp: z.int(),
  done: z.boolean().optional(),
})
export type Message = z.infer<typeof Message>

export const StoredChat = z.looseObject({
  title: z.string(),
  models: z.array(z.string()),
  /** The active thread, derived from the history. */
  messages: z.array(Message),
  history: z.object({ currentId: z.string().nullable(), messages: z.record(z.string(), Message) }),
  currentId: z.string().nullable(),
  files: z.array(z.unknown()),
  tags: z.array(z.string()),
  params: z.record(z.string(), z.unknown()),
  timestamp: z.int(),
})
export type StoredChat = z.infer<typeof StoredChat>

/** Stored as the `params` of a chat and sent with its completions; null or absent leaves the choice to the model. */
export const ChatOptions = z.strictObject({
  system: z.string().max(20_000).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).max(1_000_000).nullish(),
})
export type ChatOptions = z.infer<typeof ChatOptions>

export const Chat = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  title: z.string(),
  chat: StoredChat,
  updated_at: z.int(),
  created_at: z.int(),
  archived: z.boolean(),
  pinned: z.boolean(),
  folder_id: z.uuid().nullable(),
  share_id: z.uuid().nullable(),
  meta: z.object({ tags: z.array(z.string()) }),
})
export type Chat = z.infer<typeof Chat>

export const ChatListItem = z.object({
  id: z.uuid(),
  title: z.string(),
  updated_at: z.int(),
  created_at: z.int(),
  archived: z.boolean(),
  pinned: z.boolean(),
  folder_id: z.uuid().nullable(),
  tags: z.array(z.string()),
  /** In the list of what is shared: whether anybody with the link can read it. */
  is_public: z.boolean().optional(),
  /** Search results: the passage that matched, with the words between « and ». */
  snippet: z.string().optional(),
})
export type ChatListItem = z.infer<typeof ChatListItem>
export const ChatList = z.object({ items: z.array(ChatListItem), total: z.int() })
/**
 * A word that thousands of messages or titles hold is looked for in the newest chats: `searched_to` is there when these
 * were looked through, and when the oldest of them last changed. Until then `total` is one more than the pages so far hold.
 */
export const ChatSearchReply = ChatList.extend({ searched_to: z.int().optional() })

/**
 * `pinned`, `archived`, `folder_id`, `tag` and `shared` narrow the list; archived chats are left out unless they are
 * asked for, or what is shared is.
 */
export const ChatListQuery = z.strictObject({
  ...paging(60),
  pinned: z.stringbool().optional(),
  archived: z.stringbool().optional(),
  folder_id: Id.optional(),
  tag: z.string().max(100).optional(),
  shared: z.stringbool().optional(),
})
/**
 * `branch=active` answers the thread that ends at `currentId`, and of the other branches only their ids. With `last` it is
 * the end of that thread, so many messages, and with `before` what comes right before that message; either with the other
 * versions beside each of them. A chat of no more than `last` messages is answered whole.
 */
export const ChatQuery = z
  .object({
    branch: z.enum(['active']).optional(),
    last: z.coerce.number().int().min(1).max(10_000).optional(),
    before: MessageId.optional(),
  })
  .refine(({ branch, last }) => last === undefined || branch === 'active', 'last needs branch=active')
  .refine(({ before, last }) => before === undefined || last !== undefined, 'before needs last')
export const DeleteAllQuery = z.object({ confirm: z.literal('all', 'must be all: every chat is deleted') })
export const DeleteAllReply = z.object({ deleted: z.int() })
/** Of one chat with `chat_id`, else of all. */
export const ExportQuery = z.object({ format: z.enum(['json', 'ndjson']).default('json'), chat_id: Id.optional() })
export const ChatSearchQuery = z.strictObject({
  text: z.string().max(500).default(''),
  ...paging(60),
})

/** Without a body the state is toggled. */
export const PinBody = z.strictObject({ pinned: z.boolean().optional() }).nullish()
export const ArchiveBody = z.strictObject({ archived: z.boolean().optional() }).nullish()
export const CloneBody = z
  .strictObject({ title: Title.optional(), /** Up to and with this message only. */ message_id: MessageId.optional() })
  .nullish()
export const TagsBody = z.strictObject({ tags: z.array(line(60)).max(50) })
export const ChatFolderBody = z.strictObject({ folder_id: Id.nullable() })
/** The page of the web app that shows a shared chat. */
export const sharePagePath = (shareId: string): string => `/shared/${shareId}`
/** With `share_id` only that share is updated: if it is gone, the chat isn't shared again. */
export const ShareBody = z.strictObject({ share_id: z.uuid().optional() }).nullish()
/** `public_url` is null while only the organization can read it. */
export const ShareReply = z.object({
  share_id: z.uuid(),
  url: z.string(),
  shared_at: z.int(),
  public_url: z.string().nullable(),
  /** True when the public page names the author. */
  show_author: z.boolean(),
})
export type ShareReply = z.infer<typeof ShareReply>
/**
 * With `public_url` only that link is changed: if it is gone, no other one is made. Without `show_author`, a link keeps
 * what it has, and a new one doesn't name the author.
 */
export const PublicLinkBody = z.strictObject({
  show_author: z.boolean().optional(),
  public_url: z.string().max(2000).optional(),
})
export type PublicLinkBody = z.input<typeof PublicLinkBody>
/** A shared chat is a snapshot: what is written later is not in it until it is shared again. */
export const SharedChat = z.object({
  id: z.uuid(),
  title: z.string(),
  author: z.string(),
  chat: StoredChat,
  shared_at: z.int(),
})
export type SharedChat = z.infer<typeof SharedChat>

/** The page of the web app that shows a chat to anybody with its public link. */
export const publicChatPagePath = (token: string): string => `/public/${token}`
/** Everything that a public link shows of a message: no ratings, sources, tool calls or system prompts. */
export const PublicMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: z.int(),
  /** The model of a reply. */
  model: z.string().nullable(),
  files: z.array(z.object({ id: z.uuid(), type: z.enum(['image', 'file']), name: z.string() })),
})
export type PublicMessage = z.infer<typeof PublicMessage>
export const PublicChat = z.object({
  title: z.string(),
  /** Null unless the author chose to be named. */
  author: z.string().nullable(),
  shared_at: z.int(),
  messages: z.array(PublicMessage),
})
export type PublicChat = z.infer<typeof PublicChat>

export const Folder = z.object({
  id: z.uuid(),
  name: z.string(),
  parent_id: z.uuid().nullable(),
  chat_count: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
})
export type Folder = z.infer<typeof Folder>
export const FolderList = z.object({ items: z.array(Folder), total: z.int() })
export const FolderBody = z.strictObject({ name: line(120), parent_id: Id.nullish() })
export const FolderPatch = FolderBody.partial()
export const TagList = z.object({ items: z.array(z.object({ name: z.string(), chat_count: z.int() })), total: z.int() })

/**
 * POST `/api/v1/chats/import`: the body is an export of ours or of a product with the same format, up to 500 MB: a list
 * of records, `{"chats": […]}`, one record, or a record per line. Chats are imported one by one; `skipped` says which
 * were not, by their position in the file, and why (the first 1,000 of `skipped_count`).
 */
export const ImportReply = z.object({
  import_id: z.uuid(),
  imported: z.int(),
  ids: z.array(z.uuid()),
  skipped_count: z.int(),
  skipped: z.array(z.object({ index: z.int(), title: z.string().nullable(), code: z.string(), reason: z.string() })),
})
export type ImportReply = z.infer<typeof ImportReply>

/** A UUID of the caller's choice, under which the import can be watched. A second import with it is 409. */
export const ImportQuery = z.strictObject({ import_id: Id.optional() })

/**
 * GET `/api/v1/chats/imports/{import_id}`: how far an import is, for seven days. `failed` says in `reason` why it
 * stopped; the chats it had counted by then are there.
 */
export const ImportProgress = z.object({
  import_id: z.uuid(),
  status: z.enum(['running', 'finished', 'failed']),
  reason: z.string().nullable(),
  imported: z.int(),
  skipped_count: z.int(),
  read_bytes: z.int(),
  /** Null where the request did not announce its length. */
  total_bytes: z.int().nullable(),
  started_at: z.int(),
  updated_at: z.int(),
})
export type ImportProgress = z.infer<typeof ImportProgress>

/** GET `/api/v1/chats/imports`: the caller's imports that are running. */
export const ImportList = z.object({ items: z.array(ImportProgress) })

/** POST `/{id}/messages/{mid}/event`. Which types are allowed and what each needs is judged by the server. */
export const MessageEventBody = z.strictObject({ type: z.string().max(60), data: z.looseObject({}) })
