/** The menu of prompts above the composer: arrow keys move, Enter or Tab inserts, Escape closes. */
import { type Prompt, PromptList } from '@chancery/contract/prompts.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { api } from '#lib/api.ts'
import { commandIn, findPrompts } from './find-prompts.ts'

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

export function usePromptMenu(text: string, onTake: (prompt: Prompt) => void) {
  const command = commandIn(text)
  const { data } = useQuery({
    queryKey: ['prompts'],
    queryFn: () => api.get('/api/v1/prompts', PromptList),
    enabled: command !== undefined,
  })
  const [closedFor, setClosedFor] = useState<string>()
  const [index, setIndex] = useState(0)
  const found = closedFor === text ? [] : findPrompts(data?.items ?? [], command)
  const chosen = found[Math.min(index, found.length - 1)]

  /** Returns whether the key was for the menu. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!chosen) return false
    const step = steps[event.key]
    if (step !== undefined) setIndex((found.indexOf(chosen) + step + found.length) % found.length)
    else if (event.key === 'Escape') setClosedFor(text)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') onTake(chosen)
    else return false
    event.preventDefault()
    return true
  }
  return { found, chosen, onKeyDown }
}
