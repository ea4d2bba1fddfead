/** Pure. Passwords that every guesser tries first: well-known words, and the habits by which people vary them. */

const words = new Set(
  `password passwort passw0rd letmein welcome willkommen qwerty qwertz azerty iloveyou princess sunshine football
baseball basketball superman batman spiderman dragon monkey shadow master michael jennifer jordan hunter trustno
trustno1 whatever starwars computer internet samsung chelsea liverpool arsenal barcelona realmadrid manchester
charlie daniel jessica ashley nicole matthew andrew joshua summer winter spring autumn freedom chocolate butterfly
cheese cookie pepper ginger flower purple orange banana pokemon naruto minecraft roblox fortnite ferrari mercedes
porsche mustang corvette yamaha harley killer hockey soccer tennis golfer maverick phoenix thunder lightning
diamond silver golden admin administrator root toor guest user login secret changeme default test testing tester
demo sample example temp temporary system server database oracle cisco access account office company chancery
hallo bonjour motdepasse contrasena password1 mypassword yourpassword thepassword passpass pass1234 abcdefgh
abcd1234 1q2w3e4r 1qaz2wsx zaq12wsx q1w2e3r4 qazwsx qazwsxedc asdfgh asdfghjkl zxcvbn zxcvbnm qwertyuiop
qweasdzxc google facebook linkedin twitter instagram microsoft windows android iphone apple amazon netflix`
    .split(/\s+/)
    .filter(Boolean),
)

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
]
const backwards = rows.map((row) => [...row].reverse().join(''))
const look: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Runs and repetitions are guessed first only while they are short. */
const longestGuessed = 12

const isRun = (text: string): boolean => [...rows, ...backwards].some((row) => row.includes(text))

const isRepetition = (text: string): boolean => {
  for (let size = 1; size <= Math.min(4, text.length / 2); size += 1)
    if (
      text ===
      text
        .slice(0, size)
        .repeat(Math.ceil(text.length / size))
        .slice(0, text.length)
    )
      return true
  return false
}

/** `Password2024!` is `password` with the usual ornaments. */
const withoutOrnaments = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
const withoutLeet = (text: string): string => [...text].map((letter) => look[letter] ?? letter).join('')

export const isCommonPassword = (password: string): boolean => {
  const plain = password.toLowerCase()
  const candidates = [plain, withoutOrnaments(plain), withoutLeet(plain), withoutLeet(withoutOrnaments(plain))]
  const isPattern = plain.length <= longestGuessed && (isRun(plain) || isRepetition(plain))
  return isPattern || candidates.some((candidate) => words.has(candidate))
}
