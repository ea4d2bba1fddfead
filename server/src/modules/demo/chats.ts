/** Chats with their sources, folders, tags and ratings, and what goes with them: prompts and a custom model. */

import { ImportReply } from '@chancery/contract/chats/chats.ts'
import { post } from '@chancery/contract/endpoint.ts'
import * as chats from '@chancery/contract/endpoints/chats.ts'
import { createModel } from '@chancery/contract/endpoints/models.ts'
import { guideId } from '@chancery/contract/models/models.ts'
import { z } from 'zod'
import {
  type Conversation,
  conversations,
  customModel,
  folders,
  prompts,
  type Source,
  type Turn,
} from './content/conversations.ts'
import type { Scene } from './context.ts'
import type { Files } from './knowledge.ts'

/** The one way to store a chat with its own times. The server reads it as a stream. */
const importChats = post('/api/v1/chats/import', { body: z.array(z.unknown()), reply: ImportReply })

const hourSec = 3600

export const makeChats = async (scene: Scene, files: Files): Promise<void> => {
  const drawers = await makeFolders(scene)
  for (const conversation of conversations) await store(scene, { conversation, files, drawers })
  for (const { owner, command, content } of prompts)
    await scene.person(owner).call(chats.createPrompt, { body: { command, content, shared: true } })
}

/** Maya's, by name. */
const makeFolders = async ({ person }: Scene): Promise<ReadonlyMap<string, string>> => {
  const made = new Map<string, string>()
  for (const name of folders) made.set(name, (await person('maya').call(chats.createFolder, { body: { name } })).id)
  return made
}

interface Stored {
  conversation: Conversation
  files: Files
  drawers: ReadonlyMap<string, string>
}

const store = async (scene: Scene, { conversation, files, drawers }: Stored): Promise<void> => {
  const { owner, folder, shared, turns } = conversation
  const caller = scene.person(owner)
  const messages = messagesOf(scene, conversation, files)
  const { ids } = await caller.call(importChats, { body: [recordOf(scene, conversation, messages)] })
  const params = { chatId: ids[0] ?? '' }
  const folder_id = drawers.get(folder ?? '')
  if (folder_id !== undefined) await caller.call(chats.moveChat, { params, body: { folder_id } })
  if (shared) await caller.call(chats.shareChat, { params, body: {} })
  for (const [index, { rating }] of turns.entries())
    if (rating)
      await caller.call(chats.rateMessage, {
        params: { ...params, messageId: messages[2 * index + 1]?.id ?? '' },
        body: { rating },
      })
}

const secondsOf = ({ now }: Scene, { ago }: Conversation): number => Math.floor(now.getTime() / 1000 - ago * hourSec)

const recordOf = (scene: Scene, conversation: Conversation, messages: readonly { id: string }[]) => {
  const { title, model, tags = [], pinned = false, archived = false, turns } = conversation
  const at = secondsOf(scene, conversation)
  return {
    title,
    pinned,
    archived,
    created_at: at - turns.length * 240,
    updated_at: at,
    meta: { tags },
    chat: {
      title,
      models: [model],
      history: {
        currentId: messages.at(-1)?.id,
        messages: Object.fromEntries(messages.map((message) => [message.id, message])),
      },
    },
  }
}

const messagesOf = (scene: Scene, conversation: Conversation, files: Files) => {
  const { model, turns } = conversation
  const ids = turns.flatMap(() => [scene.context.ids.next(), scene.context.ids.next()])
  const at = secondsOf(scene, conversation)
  return turns.flatMap(({ ask, answer, sources }: Turn, index) => {
    const [user = '', reply = '', next] = ids.slice(2 * index)
    const timestamp = at - (turns.length - index) * 240
    const parentId = ids[2 * index - 1] ?? null
    return [
      { id: user, role: 'user', content: ask, parentId, childrenIds: [reply], timestamp, models: [model] },
      {
        id: reply,
        role: 'assistant',
        content: answer,
        parentId: user,
        childrenIds: next === undefined ? [] : [next],
        timestamp: timestamp + 9,
        model,
        modelName: model,
        modelIdx: 0,
        done: true,
        ...(sources && { sources: sources.map((source) => sourceOf(source, files)) }),
      },
    ]
  })
}

const sourceOf = ({ file, passage }: Source, files: Files) => {
  const id = files.get(file)
  return {
    source: { id, name: file, type: 'file' },
    document: [passage],
    metadata: [{ file_id: id, name: file, source: file }],
    distances: [0.86],
  }
}

/** Answers its id. */
export const makeModel = async ({ context, organizationId, person }: Scene): Promise<string> => {
  const { name, description, system } = customModel
  // Ids are shared by all organizations.
  const id = `handbook-${context.ids.next().slice(-6)}`
  await person('aisha').call(createModel, {
    body: {
      id,
      name,
      base_model_id: guideId,
      params: { system, temperature: 0.2 },
      meta: { description, tags: [{ name: 'handbook' }] },
      access_grants: [{ principal_type: 'organization', principal_id: organizationId, permission: 'read' }],
    },
  })
  return id
}
