/** Questions of plugins to the person, one after the other. */
import type { ChatEvent } from '@chancery/contract/chats/events.ts'
import { useEffect, useState } from 'react'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { listen } from '#lib/http/socket.ts'
import { type Question, questionOf } from './question.ts'
import { runInPage } from './run-in-page.ts'
import { runPython } from './run-python.ts'

export interface OpenQuestion extends Question {
  id: string
  answer: (value: unknown) => void
}

/** Listens as long as the component is there. The first question is the one to show. */
export function useOpenQuestions(): readonly OpenQuestion[] {
  const [open, setOpen] = useState<readonly OpenQuestion[]>([])
  useEffect(() => {
    const ask = (question: Question, signal: AbortSignal) =>
      new Promise<unknown>((resolve) => {
        const id = uuidV4()
        const answer = (value: unknown) => {
          setOpen((all) => all.filter((one) => one.id !== id))
          resolve(value)
        }
        signal.addEventListener('abort', () => answer(undefined), { once: true })
        setOpen((all) => [...all, { ...question, id, answer }])
      })
    return listen({
      onQuestion: async ({ data: { type, data } }: ChatEvent, signal) => {
        if (type === 'execute') return runInPage(data)
        if (type === 'execute:python') return runPython(data, signal)
        const question = questionOf(type, data)
        return question ? ask(question, signal) : null
      },
    })
  }, [])
  return open
}
