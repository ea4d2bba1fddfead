/** The rounds of voice mode. Leaving it stops the microphone and the voice. */
import type { AudioAbilities } from '@chancery/contract/audio.ts'
import type { Message } from '@chancery/contract/chats.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { listen } from '#lib/speech/listen.ts'
import { speak, stopSpeaking } from '#lib/speech/speak.ts'
import { isPending } from '../history/parts.ts'

export type Phase = 'listening' | 'waiting' | 'speaking' | 'paused'

export interface VoiceSettings {
  last: Message | undefined
  onSay: (text: string) => Promise<boolean>
  abilities: z.infer<typeof AudioAbilities>
  /** The first question was spoken in a new chat: its reply is waited for. */
  isContinued: boolean
}

export function useVoiceSession({ last, onSay, abilities, isContinued }: VoiceSettings) {
  const [phase, setPhase] = useState<Phase>(isContinued ? 'waiting' : 'listening')
  /** Silence starts another round of listening. */
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState<string>()
  /** The reply that was read last, or that was there before. */
  const read = useRef(isContinued ? undefined : last?.id)
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
  const readAloud = useEffectEvent(({ id, content }: Message) => {
    read.current = id
    return speak({ id, text: content, usesServer: canSpeak, speed, language })
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

  const isRead = last === undefined || last.role !== 'assistant' || isPending(last) || last.id === read.current
  useEffect(() => {
    if (phase !== 'waiting' || isRead || !last) return
    setPhase('speaking')
    readAloud(last).then(() => setPhase((now) => (now === 'speaking' ? 'listening' : now)), fail)
  }, [phase, isRead, last])
  useEffect(() => stopSpeaking, [])

  return {
    phase,
    problem,
    pause: () => setPhase('paused'),
    resume: () => {
      setProblem(undefined)
      setPhase('listening')
    },
  }
}
