/** Reads a reply aloud, or stops reading it. */
import { Volume2, VolumeX } from 'lucide-react'
import { useAbilities } from '#data/speech-abilities.ts'
import { IconButton } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { canSpeak, speak, stopSpeaking, useSpokenId } from './speak.ts'

export function ReadAloudButton({ id, text }: { id: string; text: string }) {
  const { data } = useAbilities()
  const isSpoken = useSpokenId() === id
  if (!data || !canSpeak(data.canSpeak)) return null
  const { speed, language } = data.preferences
  const read = () => speak({ id, text, usesServer: data.canSpeak, speed, language }).catch(toast.failed)
  return isSpoken ? (
    <IconButton label="Stop reading" icon={VolumeX} isTiny onClick={stopSpeaking} />
  ) : (
    <IconButton label="Read aloud" icon={Volume2} isTiny onClick={() => void read()} />
  )
}
