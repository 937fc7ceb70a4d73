/* format.js: numbers as people read them. */
const thin = '\u202f';

export function count(number) {
    return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, thin);
}

export function bytes(number) {
    if (number < 1024) return `${number} B`;
    const units = ['KiB', 'MiB', 'GiB'];
    let value = number / 1024, unit = 0;
    while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
    return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function milliseconds(number) {
    if (number <= 0) return '< 0.1 ms'; // less than the grain of a browser's clock
    if (number < 1) return `${count(Math.max(1, number * 1000))} µs`;
    if (number < 10) return `${number.toFixed(1)} ms`;
    return number < 10000 ? `${count(number)} ms` : `${(number / 1000).toFixed(1)} s`;
}

export function decimal(number, digits = 2) {
    const [whole, part] = number.toFixed(digits).split('.');
    return count(whole) + (part ? '.' + part : '');
}

export function percent(ratio) {
    const value = ratio * 100;
    if (Math.abs(value) < 0.005) return '0 %';
    return `${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(Math.abs(value) < 10 ? 2 : 0)} %`;
}
