/** The microphone of the composer: one click listens, the next one writes what was said. */
import { LoaderCircle, Mic, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useAbilities } from '#data/speech-abilities.ts'
import { IconButton } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { canListen, type Listening, listen } from './listen.ts'

type State = 'idle' | 'listening' | 'writing'

const looks = {
  idle: { label: 'Dictate', icon: Mic, className: '' },
  listening: { label: 'Stop and write', icon: Square, className: 'text-seal-text' },
  writing: { label: 'Writing what you said…', icon: LoaderCircle, className: 'animate-breathe' },
}

export function DictationButton({ onText }: { onText: (text: string) => void }) {
  const { data } = useAbilities()
  const [state, setState] = useState<State>('idle')
  const current = useRef<Listening>(undefined)
  useEffect(() => () => current.current?.cancel(), [])
  if (!data || !canListen(data.canTranscribe)) return null
  const start = async () => {
    try {
      current.current = listen({ usesServer: data.canTranscribe, language: data.preferences.language })
      setState('listening')
      const text = await current.current.text
      if (text !== '') onText(text)
    } catch (failure) {
      toast.failed(failure)
    } finally {
      current.current = undefined
      setState('idle')
    }
  }
  const click = () => {
    if (state === 'idle') return void start()
    setState('writing')
    current.current?.stop()
  }
  const { label, icon, className } = looks[state]
  return (
    <IconButton
      label={label}
      icon={icon}
      aria-pressed={state === 'listening'}
      disabled={state === 'writing'}
      className={className}
      onClick={click}
    />
  )
}
