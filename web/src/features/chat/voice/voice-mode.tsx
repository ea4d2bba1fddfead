/** Hands-free: listens until the person is silent, sends what was said, reads the reply aloud, and listens again. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { AudioLines } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAbilities } from '#data/speech-abilities.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { canListen } from './listen.ts'
import { canSpeak } from './speak.ts'
import { type Phase, useVoiceSession, type VoiceSettings } from './use-voice-session.ts'

/** A new chat becomes a conversation with its first question; voice mode then continues there. */
let isHandedOver = false
export const handOverVoice = (isWanted: boolean): void => {
  isHandedOver = isWanted
}

interface VoiceModeProps {
  /** The last message of the conversation. */
  last: Message | undefined
  /** Returns whether it was sent. */
  onSay: (text: string) => Promise<boolean>
  /** Stops the reply that is being written. */
  onStop: () => void
}

export function VoiceMode(props: VoiceModeProps) {
  const { data } = useAbilities()
  const [isContinued] = useState(isHandedOver)
  const [isOpen, setOpen] = useState(isContinued)
  useEffect(() => handOverVoice(false), [])
  if (!data || !canListen(data.canTranscribe) || !canSpeak(data.canSpeak)) return null
  return (
    <>
      <IconButton label="Voice mode" icon={AudioLines} onClick={() => setOpen(true)} />
      <Dialog title="Voice mode" isOpen={isOpen} isDisposable onClose={() => setOpen(false)}>
        {isOpen && <Session {...props} abilities={data} isContinued={isContinued} />}
      </Dialog>
    </>
  )
}

const words: Record<Phase, { title: string; hint: string }> = {
  listening: { title: 'Listening…', hint: 'Speak, then pause. Your question is sent when you stop.' },
  waiting: { title: 'Waiting for the reply…', hint: 'It’s read to you while it’s being written.' },
  speaking: { title: 'Speaking…', hint: 'Interrupt to ask something else.' },
  paused: { title: 'Paused', hint: 'Continue when you’re ready.' },
}

function Session(settings: VoiceSettings) {
  const { phase, problem, pause, resume, interrupt } = useVoiceSession(settings)
  const { title, hint } = words[phase]
  return (
    <div className="flex flex-col items-center gap-4 py-6 text-center">
      <AudioLines
        aria-hidden
        className={cx('size-14', phase === 'paused' ? 'text-faint' : 'animate-breathe text-seal-text')}
      />
      <p aria-live="polite" className="font-medium font-serif text-lg">
        {title}
      </p>
      <p className={problem === undefined ? 'text-soft' : 'text-bad'}>{problem ?? hint}</p>
      {phase === 'paused' && (
        <Button look="primary" onClick={resume}>
          Continue
        </Button>
      )}
      {phase === 'speaking' && <Button onClick={interrupt}>Interrupt</Button>}
      {phase === 'listening' && <Button onClick={pause}>Pause</Button>}
    </div>
  )
}
