/** The rounds of voice mode. A reply is read while it is written. Leaving it stops the microphone and the voice. */

import type { Message } from '@chancery/contract/chats/chats.ts'
import type { AudioAbilities } from '@chancery/contract/files/audio.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { isPending } from '../history/parts.ts'
import { useReply } from '../live/reply-store.ts'
import { listen } from './listen.ts'
import { speak, stopSpeaking } from './speak.ts'
import { completeEnd, createGrowingText, type GrowingText } from './speakable.ts'

export type Phase = 'listening' | 'waiting' | 'speaking' | 'paused'

export interface VoiceSettings {
  last: Message | undefined
  onSay: (text: string) => Promise<boolean>
  /** Stops the reply that is being written. */
  onStop: () => void
  abilities: z.infer<typeof AudioAbilities>
  /** The first question was spoken in a new chat: its reply is waited for. */
  isContinued: boolean
}

export function useVoiceSession({ last, onSay, onStop, abilities, isContinued }: VoiceSettings) {
  const [phase, setPhase] = useState<Phase>(isContinued ? 'waiting' : 'listening')
  /** Silence starts another round of listening. */
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState<string>()
  /** The reply that was read last, or that was there before. */
  const read = useRef(isContinued ? undefined : last?.id)
  const spoken = useRef<GrowingText>(undefined)
  const live = useReply(last?.id ?? '')
  const { canTranscribe, canSpeak, preferences } = abilities
  const { language, speed } = preferences

  const fail = useEffectEvent((failure: unknown) => {
    setProblem(failure instanceof Error ? failure.message : 'Something went wrong.')
    setPhase('paused')
  })
  const begin = useEffectEvent(() => listen({ usesServer: canTranscribe, language, endsAtSilence: true }))
  const hear = useEffectEvent(async (text: string) => {
    if (text === '') return setRound(round + 1)
    setPhase('waiting')
    if (!(await onSay(text))) setPhase('paused')
  })
  const readAloud = useEffectEvent((id: string) => {
    const text = createGrowingText()
    read.current = id
    spoken.current = text
    speak({ id, text, usesServer: canSpeak, speed, language }).then(
      () => setPhase((now) => (now === 'speaking' ? 'listening' : now)),
      fail,
    )
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round listens once
  useEffect(() => {
    if (phase !== 'listening') return
    let isCurrent = true
    const listening = begin()
    listening.text.then(
      (text) => isCurrent && void hear(text),
      (failure: unknown) => isCurrent && fail(failure),
    )
    return () => {
      isCurrent = false
      listening.cancel()
    }
  }, [phase, round])

  useEffect(() => {
    // The reply that is being read was deleted or replaced, in another tab for example.
    if (phase === 'speaking' && last?.id !== read.current) spoken.current?.end()
    if (last?.role !== 'assistant') return
    const { id } = last
    const isComplete = !isPending(last)
    const content = isComplete ? last.content : (live?.content ?? last.content)
    const canBegin = phase === 'waiting' && (isComplete || completeEnd(content, 0) > 0)
    if (id !== read.current && canBegin) {
      setPhase('speaking')
      readAloud(id)
    }
    if (id === read.current) spoken.current?.update(content, isComplete)
  }, [phase, last, live])
  useEffect(() => stopSpeaking, [])

  return {
    phase,
    problem,
    pause: () => setPhase('paused'),
    interrupt: () => {
      if (last && isPending(last)) onStop()
      stopSpeaking()
    },
    resume: () => {
      setProblem(undefined)
      setPhase('listening')
    },
  }
}
