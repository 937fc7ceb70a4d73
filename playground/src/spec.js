/* spec.js: an algorithm and its parameters as the library writes them: "wastar:weight=1.5". What is as usual is left out. */

export function algorithmOf(registry, name) {
    return registry.algorithms.find((algorithm) => algorithm.name === name);
}

/* `choice`: { algorithm, parameters: { name: value } }. */
export function specOf(registry, choice) {
    const algorithm = algorithmOf(registry, choice.algorithm);
    const words = (algorithm?.parameters ?? [])
        .filter(({ name, default: usual }) => choice.parameters[name] !== undefined && choice.parameters[name] !== usual)
        .map(({ name }) => `${name}=${choice.parameters[name]}`);
    return words.length ? `${choice.algorithm}:${words.join(',')}` : choice.algorithm;
}

/* The other way round; what the registry does not have is told. */
export function parseSpec(registry, text) {
    const [name, ...rest] = text.split(':'), algorithm = registry.algorithms.find((one) => one.name === name || one.aliases.includes(name));
    if (!algorithm) throw new Error(`there is no algorithm "${name}"`);
    const parameters = {}, words = rest.join(':');
    for (const word of words ? words.split(',') : []) {
        const [key, value] = word.split('='), parameter = algorithm.parameters.find((one) => one.name === key);
        if (!parameter) throw new Error(`${algorithm.name} has no parameter "${key}"`);
        parameters[key] = valueOf(parameter, value ?? '', algorithm);
    }
    return { algorithm: algorithm.name, parameters };
}

function valueOf({ name, type, choices, minimum, maximum }, text, algorithm) {
    if (type === 'choice') {
        if (!choices.includes(text)) throw new Error(`${name} of ${algorithm.name} should be one of ${choices.join(', ')}, not "${text}"`);
        return text;
    }
    const value = Number(text);
    if (text === '' || !(value >= minimum && value <= maximum)) throw new Error(`${name} of ${algorithm.name} should be a number from ${minimum} to ${maximum}, not "${text}"`);
    return value;
}
