/** A conversation in the memory of this tab. It has the actions of a stored one, as far as they need no server. */
import type { ChatOptions, Message } from '@chancery/contract/chats/chats.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { messageFilesOf, referencesIn } from '../attachments/message-files.ts'
import { continuesFrom } from '../history/rows.ts'
import { type History, leafUnder, threadOf } from '../history/tree.ts'
import { anotherReply, type NewTurn, newTurn, type Turn, withTurn } from '../history/turns.ts'
import { promptOf } from '../live/begin-replies.ts'
import { fieldsOf } from '../live/chat-cache.ts'
import { dropReply, setReply } from '../live/reply-store.ts'
import { requestParams, systemMessage } from '../options/chat-options.ts'
import { usableIn } from '../tools/api.ts'
import { type ChatTools, toolRequest } from '../tools/chat-tools.ts'
import { type Conversation, making } from '../use-conversation.ts'
import { emptyHistory, withFields, withoutMessage } from './history-changes.ts'
import { readReply } from './read-reply.ts'

interface Settings {
  options: ChatOptions
  tools: ChatTools
}

export interface TemporaryChat extends Omit<Conversation, 'saveTools' | 'saveOptions'> {
  history: History
}

/** The latest history, also for a reply that ends after many renders. */
function useHistory() {
  const [history, setHistory] = useState(emptyHistory)
  const latest = useRef(history)
  const change = useCallback((next: (history: History) => History) => {
    latest.current = next(latest.current)
    setHistory(latest.current)
  }, [])
  return { history, latest, change }
}

export function useTemporaryChat({ options, tools }: Settings): TemporaryChat {
  const queryClient = useQueryClient()
  const { history, latest, change } = useHistory()
  const running = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const all = running.current
    return () => {
      for (const one of all.values()) one.abort()
    }
  }, [])

  const ask = useCallback(
    async ({ id, parentId, model }: Message) => {
      const controller = new AbortController()
      running.current.set(id, controller)
      const thread = threadOf(latest.current, parentId)
      const reply = await readReply({
        model: String(model ?? ''),
        messages: [...systemMessage(options), ...promptOf(thread)],
        params: {
          ...requestParams(options),
          ...toolRequest(tools, usableIn(queryClient)),
          files: referencesIn(thread),
        },
        signal: controller.signal,
        onReply: (next) => setReply(id, next),
      })
      running.current.delete(id)
      change((now) => withFields(now, id, { ...fieldsOf(reply), ...(controller.signal.aborted && { stopped: true }) }))
      dropReply(id)
    },
    [options, tools, queryClient, latest, change],
  )

  return useMemo(() => {
    const add = async (turn: Turn) => {
      change((now) => withTurn(now, turn))
      await Promise.all(turn.replies.map(ask))
      return true
    }
    const addQuestion = (question: Pick<NewTurn, 'parentId' | 'content' | 'models' | 'files'>) => {
      void add(newTurn({ ...question, ...making() }))
      return Promise.resolve(true)
    }
    return {
      history,
      send: (content, models, files = []) =>
        addQuestion({ parentId: continuesFrom(latest.current), content, models, files }),
      edit: (message, content, models) =>
        addQuestion({ parentId: message.parentId, content, models, files: messageFilesOf(message) }),
      regenerate: (reply, model) => void add(anotherReply(reply, model, making())),
      editReply: async ({ id }, content) => {
        change((now) => withFields(now, id, { content }))
        return true
      },
      remove: async ({ id }) => {
        change((now) => withoutMessage(now, id))
        return true
      },
      choose: (messageId) => change((now) => ({ ...now, currentId: leafUnder(now, messageId) })),
      stop: () => {
        for (const one of running.current.values()) one.abort()
      },
      runAction: undefined,
      rate: undefined,
    }
  }, [history, latest, change, ask])
}
