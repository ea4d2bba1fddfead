/** Pure. The language of a document, by its most frequent small words: it decides how full-text search stems. */

const smallWords: Record<string, string> = {
  english: 'the and of to in is that for it with as was on are be this by not from or which you have',
  german: 'der die und das ist nicht ein eine den von mit sich des auf für dem auch als wird werden oder bei',
  french: 'le la les et des est dans une du que pour qui pas sur au avec par ce il sont plus aux',
  spanish: 'el la los las y que en del una por con para es se no su al lo como más pero sus',
  italian: 'il la che di e un una per non è sono del della con gli le dei nel alla come anche più',
  portuguese: 'o os as e que em do da dos das uma para com não por ao é se mais como foi sua',
  dutch: 'de het een van en in is dat op te zijn voor met niet aan er door wordt ook bij naar',
  swedish: 'och att det som en är på för med av den inte ett till har om var från kan eller vi',
  danish: 'og at det en den er som på for af med til ikke der et har om kan fra eller blev',
  norwegian: 'og å det en er som på for av med til ikke et har om kan fra eller ble også hun',
  finnish: 'ja on ei se että joka hän oli mutta myös ovat kuin tai sen niin kun jos mitä vain',
  hungarian: 'a az és hogy nem egy is ez meg de csak van volt mint vagy el még már ha kell',
  romanian: 'și în de la cu nu este care pe din se un pentru mai sunt ce sau au fost prin',
  turkish: 've bir bu için ile da de olarak çok daha gibi olan ne kadar sonra en ya mi değil',
  russian: 'и в не на что с по как это а из к у за от его так но она они был для же',
}

const languages = Object.entries(smallWords).map(([name, words]) => ({ name, words: new Set(words.split(' ')) }))
const sampleLength = 20_000
const minShare = 0.08

/** The name of a text search configuration. Where nothing is clear, Latin letters count as English; `simple` does not stem. */
export const detectLanguage = (searchable: string): string => {
  const words = searchable.slice(0, sampleLength).split(' ')
  const counts = languages.map(({ name, words: known }) => ({
    name,
    count: words.filter((word) => known.has(word)).length,
  }))
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one))
  if (best.count > 0 && best.count / words.length > minShare) return best.name
  return /^[\p{Script=Latin}\p{N} ]*$/u.test(searchable.slice(0, sampleLength)) ? 'english' : 'simple'
}
